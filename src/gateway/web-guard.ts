// Keeps web pages of other sites away, which can reach a port of this machine from a visitor's browser. Runs in Node.
import { loopbackNames } from '../core/base/loopback.ts';
import { Refusal } from './problem.ts';

type Page = { host: string } & Record<'origin' | 'forwardedHost' | 'site' | 'dest', string | undefined>;

/**
 * Refuses a page of another origin: it may have a browser send Basic credentials that somebody typed there. It loads a
 * script, a picture or a frame without an Origin, but with its `site`; a link that a person follows opens a document. Without tokens also refuses a host name that is not
 * loopback, which another site's name may resolve to.
 */
export function assertNoForeignPage(
  { host, origin, forwardedHost, site, dest }: Page,
  hasTokens: boolean,
): void {
  if (!hasTokens && !loopbackNames.includes(URL.parse(`http://${host}`)?.hostname ?? ''))
    throw new Refusal({
      status: 403,
      code: 'HostRefused',
      detail: `The request names the host "${host}": expected ${loopbackNames.join(', ')}, because this gateway has no tokens and serves this machine only.`,
    });
  const { host: page = '' } = URL.parse(origin ?? '') ?? {};
  const isOwn = origin === undefined || (page !== '' && (page === host || page === forwardedHost));
  const isLoaded = (site === 'cross-site' || site === 'same-site') && dest !== 'document';
  if (isOwn && !isLoaded) return;
  throw new Refusal({
    status: 403,
    code: 'OriginRefused',
    detail: `A web page of ${origin ?? 'another site'} sent the request: expected a program, which sends no Origin, or a page of this gateway.`,
  });
}
