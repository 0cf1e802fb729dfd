// Reader of the test of a configuration: https://nginx.org/en/docs/switches.html. Pure.
import { answer, type Reader } from '@holdfast/sources/source-answer';

/** A test opens the pid file, logs and ports as a start would, which only the user of a start may. */
const rights = /\[(?:emerg|alert)\].*(?:permission denied|operation not permitted|read-only file system)/i;

/** The first fault ends the test: where it is one of rights, nothing is known about the rest of the configuration. */
export const test: Reader = (came) => {
  const lines = came.split('\n').filter((line) => line.trim() !== '');
  const denied = lines.filter((line) => rights.test(line));
  const isFault = lines.some((line) => line.includes('[emerg]') && !rights.test(line));
  const isEnd = denied.some((line) => line.includes('[emerg]'));
  if (isFault || !isEnd) return answer(lines);
  const known = lines.some((line) => line.includes('syntax is ok'))
    ? 'the syntax is right, and "test failed" is no fault of the configuration'
    : 'whether the configuration is right is not known';
  return answer(lines, {
    gaps: [`this user may not do all that a start does: ${known}: ${denied.join('; ')}`],
  });
};

/** Without blank lines. */
export const config: Reader = (came) => answer(came.split('\n').filter((line) => line.trim() !== ''));
