// The parts of a command line that change something, for people who see it cut. Nothing is executed here.
import { parse } from 'unbash';
import { judgeScript } from './judge-script.ts';

/** In the order of the line; empty where it only reads, or cannot be read. */
export function changingParts(line: string): string[] {
  try {
    const actions = judgeScript(parse(line), line, { beginsAtRoot: false, environment: [] });
    return actions.flatMap(({ effect, command }) => (effect === 'read' ? [] : [command]));
  } catch {
    return [];
  }
}
