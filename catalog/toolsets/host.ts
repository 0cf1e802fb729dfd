// Readers of what programs of this host print. Pure.
import { timeWords } from '@holdfast/base/series';
import { answer, type Reader } from '@holdfast/sources/source-answer';

/** The zone of this host, then lines of dpkg's log, which has local times, and of rpm, in seconds since 1970 after `@`. */
export const packages: Reader = (said) => {
  const [zone = '', ...lines] = said.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.flatMap((line) => {
    const [first = '', time = '', ...rest] = line.split(' ');
    if (line === 'none') return [];
    return first.startsWith('@')
      ? [{ at: timeWords(1_000 * Number(first.slice(1))), what: [time, ...rest].join(' ') }]
      : [{ at: `${first}T${time}${zone}`, what: rest.join(' ') }];
  });
  return answer(rows, { gaps: [lines.includes('none') && 'this host has neither the log of dpkg nor rpm'] });
};
