// The operator's settings for single hosts: headers, and paths whose POST requests only read. Pure; runs in Node.
import { z } from 'zod';
import type { Infer } from '@holdfast/base/schema-output';
import { matchesPattern } from '../../../core/tools/matching.ts';
import { createHttpAllowList, isLoopback, namesPort } from './http-allow-list.ts';

const postPath = z
  .string()
  .regex(
    /^\/[^?#\s]*$/,
    'expected a path that begins with "/", without a query: "*" matches within one segment',
  );
export const httpHostSchema = z.strictObject({
  /**
   * Sent with every request to the host; values may hold references to secrets. Over http only if the entry names a port,
   * or the host is loopback.
   */
  headers: z
    .record(z.string().regex(/^[\w-]+$/, 'expected the name of a header'), z.string())
    .exactOptional(),
  /** Paths that only read although they take POST, e.g. `/_search`; `*` matches within one segment. */
  post: z.array(postPath).exactOptional(),
});
/** The operator's settings for one host. */
export type HttpHost = Infer<typeof httpHostSchema>;

/** By an entry of http.allow. */
export type HttpHosts = Readonly<Record<string, HttpHost>>;

/** The POST paths of all hosts, each after its host; a run is frozen to them. */
export function postPaths(hosts: HttpHosts): string[] {
  return Object.entries(hosts).flatMap(([host, { post = [] }]) => post.map((path) => `${host}${path}`));
}

/** Keeps the POST paths that are also in the other list. */
export function withinPosts(hosts: HttpHosts, posts: readonly string[] = []): HttpHosts {
  const narrowed = Object.entries(hosts).map(([host, { post = [], ...rest }]) => [
    host,
    { ...rest, post: post.filter((path) => posts.includes(`${host}${path}`)) },
  ]);
  return Object.fromEntries(narrowed);
}

export function isReadingPost(url: URL, hosts: HttpHosts): boolean {
  const paths = entryOf(url, hosts)?.[1].post ?? [];
  return paths.some((path) => matchesSegments(path, url.pathname));
}

/** The headers for a URL; `withheld` if some would be sent unencrypted. */
export function headersFor(
  url: URL,
  hosts: HttpHosts,
): { headers: Record<string, string>; withheld: boolean } {
  const [entry = '', { headers = {} } = {}] = entryOf(url, hosts) ?? [];
  const isMeant = url.protocol === 'https:' || namesPort(entry) || isLoopback(url);
  const withheld = !isMeant && Object.keys(headers).length > 0;
  return { headers: withheld ? {} : headers, withheld };
}

/** An entry with a port precedes one without. */
function entryOf(url: URL, hosts: HttpHosts): [entry: string, host: HttpHost] | undefined {
  const found = Object.entries(hosts).filter(
    ([entry]) => createHttpAllowList([entry]).find(url) !== undefined,
  );
  return found.find(([entry]) => namesPort(entry)) ?? found[0];
}

/** A server may decode an encoded slash, or drop an empty segment, and so see another path. */
function matchesSegments(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((each, index) => {
      const segment = given[index] ?? '';
      if (!each.includes('*')) return each === segment;
      return segment !== '' && !/%(?:2f|5c|25|00)/i.test(segment) && matchesPattern(each, segment);
    })
  );
}
