// The callers of the gateway: their tokens, and what each may do. Runs in Node. Tokens stay in this file, as digests.
import { createHash, timingSafeEqual } from 'node:crypto';
import { messageOf } from '@holdfast/base/message-of';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { type GatewayRight, gatewayRights } from '../config/schema/gateway.schema.ts';
import { readSecret } from '../config/secrets.ts';
import { Refusal } from './problem.ts';

export type Caller = { name: string; may: readonly GatewayRight[] };

/** Everybody, where the config names no tokens: the gateway then listens on loopback only. */
const local: Caller = { name: 'local', may: gatewayRights };

/** As long as what `openssl rand -hex 16` makes, at the least. */
const shortestToken = 16;

type Known = Caller & { digest: Buffer };

export class Callers {
  readonly #known: readonly Known[];

  constructor(tokens: readonly (Caller & { token: string })[]) {
    this.#known = tokens.map(({ token, ...caller }) => ({ ...caller, digest: digestOf(token) }));
  }

  /** Sorted by name; empty without tokens. */
  get all(): Caller[] {
    return this.#known.map(({ name, may }) => ({ name, may }));
  }

  /** The caller by the header Authorization; undefined for one without a token. Refuses a wrong token. */
  identify(authorization: string | undefined): Caller | undefined {
    if (this.#known.length === 0) return local;
    if (authorization === undefined) return undefined;
    const { token, user } = readAuthorization(authorization);
    const digest = digestOf(token);
    // every token is compared, so that the time tells nothing
    const [found] = this.#known.filter((known) => timingSafeEqual(known.digest, digest));
    if (found !== undefined && (user === undefined || user === found.name)) return found;
    throw unauthenticated('The token is not one of this gateway.');
  }
}

/** Refuses a caller without the right. */
export function assertRight(caller: Caller | undefined, right: GatewayRight): Caller {
  if (caller === undefined) throw unauthenticated('The request has no token.');
  if (caller.may.includes(right)) return caller;
  const detail =
    `The token "${caller.name}" may not do this: expected the right "${right}", found ${caller.may.join(', ')}. ` +
    `Use another token, or have "${right}" added to gateway.tokens.${caller.name}.may in the gateway's config.`;
  throw new Refusal(403, 'RightMissing', detail);
}

export function unauthenticated(found: string): Refusal {
  const detail =
    `${found} Expected "Authorization: Bearer <token>", or Basic with the token's name as the user and the token as ` +
    'the password. Tokens are named in gateway.tokens of the config.';
  return new Refusal(401, 'Unauthenticated', detail, {
    'www-authenticate': 'Bearer realm="holdfast", Basic realm="holdfast"',
  });
}

function readAuthorization(header: string): { token: string; user?: string } {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)$/.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return { token: scheme.toLowerCase() === 'bearer' ? value : '' };
  const [, user = '', token = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return { user, token };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Resolves the tokens of a config. Throws a ConfigError that names the token, never its value. */
export async function readCallers(config: Config): Promise<Callers> {
  const named = Object.entries(config.gateway?.tokens ?? {}).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const tokens: (Caller & { token: string })[] = [];
  for (const [name, { secret, may }] of named) {
    const place = `gateway.tokens.${name}`;
    const token = await readSecret(config, secret).catch((error: unknown) => {
      throw new ConfigError(`${place} cannot be read: ${messageOf(error)}`);
    });
    if (token.length < shortestToken)
      throw new ConfigError(
        `${place} has ${token.length} characters: expected at least ${shortestToken} that nobody can guess. "openssl rand -hex 32" makes them.`,
      );
    const same = tokens.find((other) => other.token === token);
    if (same)
      throw new ConfigError(
        `${place} is the token of "${same.name}" too: expected one of its own for each caller.`,
      );
    tokens.push({ name, may, token });
  }
  return new Callers(tokens);
}
