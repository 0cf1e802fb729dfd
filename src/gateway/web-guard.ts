// Keeps web pages of other sites away, which can reach a port of this machine from a visitor's browser. Runs in Node.
import { loopbackNames } from '../core/base/loopback.ts';
import { Refusal } from './problem.ts';

type Headers = { host: string; origin: string | undefined; forwardedHost: string | undefined };

/**
 * Refuses a page of another origin: it may have a browser send Basic credentials that somebody typed there. Without
 * tokens also refuses a host name that is not loopback, which another site's name may resolve to.
 */
export function assertNoForeignPage({ host, origin, forwardedHost }: Headers, hasTokens: boolean): void {
  if (!hasTokens && !loopbackNames.includes(nameOf(host)))
    throw new Refusal({
      status: 403,
      code: 'HostRefused',
      detail: `The request names the host "${host}": expected ${loopbackNames.join(', ')}, because this gateway has no tokens and serves this machine only.`,
    });
  if (origin === undefined) return;
  const { host: page } = URL.parse(origin) ?? {};
  if (page !== undefined && page !== '' && (page === host || page === forwardedHost)) return;
  throw new Refusal({
    status: 403,
    code: 'OriginRefused',
    detail: `A web page of ${origin} sent the request: expected a program, which sends no Origin, or a page of this gateway.`,
  });
}

function nameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? '';
}
