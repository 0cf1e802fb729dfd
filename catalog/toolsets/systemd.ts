// Readers of the journal as JSON, an entry a line. Pure.
import { z } from 'zod';
import { readJsonLines, text } from '@holdfast/sources/json-reader';
import { timeWords } from '@holdfast/base/series';
import { answer, type SourceAnswer } from '@holdfast/sources/source-answer';

/** The first of a field that an entry has more than once; none for bytes that are no text. */
const field = z.unknown().transform((value) => {
  const [first] = [value].flat();
  return typeof first === 'string' ? first : '';
});
const entry = z.object({
  __REALTIME_TIMESTAMP: z.string().regex(/^\d{16}$/),
  /** Bytes that are no text are a list of numbers. */
  MESSAGE: z.unknown().optional(),
  SYSLOG_IDENTIFIER: field.optional(),
  UNIT: field.optional(),
  USER_UNIT: field.optional(),
  JOB_TYPE: text,
  JOB_RESULT: text,
});
type Entry = z.output<typeof entry>;
type Change = { what: string; who?: string; where?: string };

function changesIn(
  entries: readonly Entry[],
  toChange: (entry: Entry) => Change | undefined,
  gap?: string | false,
): SourceAnswer {
  const rows = entries.flatMap((each) => {
    const change = toChange(each);
    return change ? [{ at: timeWords(Number(each.__REALTIME_TIMESTAMP.slice(0, 13))), ...change }] : [];
  });
  return answer(rows, { gaps: [gap], came: entries.length });
}

/** Jobs of services that are done, but for those of sessions. */
export const services = readJsonLines(entry, (entries) =>
  changesIn(entries, ({ UNIT, USER_UNIT, JOB_TYPE = '', JOB_RESULT }) => {
    const unit = UNIT ?? USER_UNIT ?? '';
    const isOwn = unit.endsWith('.service') && !/^(?:user@|run-|session-)/.test(unit);
    return JOB_RESULT !== undefined && isOwn ? { what: `${JOB_TYPE} ${JOB_RESULT}`, where: unit } : undefined;
  }),
);

/** Commands by sudo, and what configuration management has done. */
export const administration = readJsonLines(entry, (entries) =>
  changesIn(
    entries,
    ({ MESSAGE, SYSLOG_IDENTIFIER: name = '' }) => {
      const said = typeof MESSAGE === 'string' ? (MESSAGE.split('\n', 1)[0] ?? '').trim() : '';
      if (name === 'sudo') return bySudo(said);
      if (/^p[yl]/.test(name)) return byAnsible(said);
      if (name.startsWith('ansible-')) return byAnsible(`${name} ${said}`);
      return done.test(said.slice(0, 500)) ? { who: name, what: said } : undefined;
    },
    entries.some(({ MESSAGE }) => typeof MESSAGE !== 'string') && 'a message that is no text is left out',
  ),
);

/** Lines of Puppet and Chef about something that they changed. */
const done =
  /^\(?\/Stage\[.*\)\s+\S|\w\[[^\]]+\] (?:updated|created|deleted|installed|upgraded|removed|purged|started|stopped|restarted|reloaded|enabled|disabled|ran successfully)/;

function bySudo(said: string): Change | undefined {
  if (!said.includes('; COMMAND=') || /; COMMAND=list\b/.test(said)) return undefined;
  const hasRun = /^\S+ : (?:HOST=\S+ [:;] )?(?:TTY|CHROOT|PWD|USER)=/.test(said);
  const command = said.slice(said.indexOf('; COMMAND=') + '; COMMAND='.length);
  const [who = ''] = said.split(' : ', 1);
  return { who: `${who} by sudo`, what: `${hasRun ? '' : 'refused: '}${command}` };
}

const reads =
  /(?:^|\.)(?:setup|stat|find|slurp|ping|fetch|wait_for|assert|async_status|async_wrapper|\w+_facts|\w+_info)$/;

function byAnsible(said: string): Change | undefined {
  const [, module = '', how] = /^ansible-(\S+).*? Invoked with(.*)$/s.exec(said) ?? [];
  return how === undefined || reads.test(module) ? undefined : { who: 'ansible', what: `${module}${how}` };
}
