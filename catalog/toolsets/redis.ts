// Readers of redis-cli: https://redis.io/docs/latest/commands/slowlog-get/, https://redis.io/docs/latest/commands/scan/. Pure.
import { timeOf } from '@holdfast/sources/json-reader';
import { answer, type Reader, words } from '@holdfast/sources/source-answer';

const figure = /^ *\d+\) (?:\d+\) )?\(integer\) (\d+)$/;

/** In the form for people: the plain one does not tell where the words of a command end. */
export const slowlog: Reader = (came) => {
  if (/^\s*(?:\(empty [^)]*\))?\s*$/.test(came)) return { is: 'none' };
  const entries = came.trimEnd().split(/\n(?= *\d+\) 1\) \(integer\))/);
  const rows = entries.flatMap((each) => entryLine(each.split('\n')) ?? []);
  if (rows.length === 0) return { is: 'unknown', why: 'expected entries of a slow log' };
  const lost = entries.length - rows.length;
  return answer(rows, { gaps: [lost > 0 && `${lost} entries could not be read`], came: entries.length });
};

/** Its id, its time, its microseconds; the words of the command further in than the address and name of the client. */
function entryLine([id = '', second = '', third = '', ...rest]: readonly string[]): string | undefined {
  const [at, took] = [second, third].map((line) => figure.exec(line)?.[1]);
  if (!figure.test(id) || at === undefined || took === undefined) return undefined;
  const outer = second.indexOf('2)');
  const isClient = (line: string): boolean =>
    /^[56]\)/.test(line.slice(outer)) && line.slice(0, outer).trim() === '';
  const [said, who] = [false, true].map((is) =>
    words(...rest.filter((line) => isClient(line) === is).map((line) => /\) "(.*)"$/.exec(line)?.[1])),
  );
  return words(timeOf(at), `${took} µs:`, said, who && `from ${who}`);
}

/** The cursor comes first; it is 0 at the end of all keys. */
export const keys: Reader = (came) => {
  const [cursor = '', ...found] = came.trim().split('\n');
  if (!/^\d+$/.test(cursor)) return { is: 'unknown', why: 'expected a cursor first' };
  return answer(found, { more: cursor !== '0' });
};
