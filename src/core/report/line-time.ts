// The time that a line of output bears, as far as it is certain: with its date. Pure.

/** In ms since the epoch, from the first to the last moment that is meant: `03:41` is a minute. */
export type LineTime = {
  from: number;
  to: number;
  /** False: the zone is not said, so that it compares only with lines of the same output. */
  hasZone: boolean;
};

const iso =
  /(?<![\d.-])(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)(?!\w))?/;
/** Of web servers, such as `28/Nov/2026:03:41:07 +0000`. */
const web = /(?<!\d)(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?: ([+-]\d\d:?\d\d))?/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The first time of a line; undefined without one that has its date. */
export function timeOfLine(line: string): LineTime | undefined {
  const found = iso.exec(line);
  const [, year, month, day, hour, minute, second, fraction, zone] = found ?? [];
  if (found) return toTime(`${year}-${month}-${day}T${hour}:${minute}`, second, fraction, zone);
  const [, webDay, name = '', webYear, ...clock] = web.exec(line) ?? [];
  const webMonth = months.indexOf(name) + 1;
  if (webMonth === 0) return undefined;
  const date = `${webYear}-${String(webMonth).padStart(2, '0')}-${webDay}`;
  return toTime(`${date}T${clock[0]}:${clock[1]}`, clock[2], undefined, clock[3]);
}

function toTime(
  minute: string,
  second: string | undefined,
  fraction: string | undefined,
  zone: string | undefined,
): LineTime | undefined {
  const ms = fraction?.slice(0, 3).padEnd(3, '0');
  const from = Date.parse(`${minute}:${second ?? '00'}.${ms ?? '000'}${toOffset(zone)}`);
  if (Number.isNaN(from)) return undefined;
  const length = second === undefined ? 60_000 : fraction === undefined ? 1_000 : 1;
  return { from, to: from + length - 1, hasZone: zone !== undefined };
}

/** For Date.parse, which would take the zone of the process where none is said. */
function toOffset(zone: string | undefined): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? [];
  return sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
}
