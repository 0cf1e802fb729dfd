// The real queries of a toolset, made for `holdfast doctor`: does each server answer, and what may it not be asked. Runs
// in Node.
import { defined } from '@holdfast/base/defined';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { describeParseError } from '../tools/tool-arguments.ts';
import type { ToolContext } from '../tools/define-tool.ts';
import { type AnswerKind, answerKindIn } from '@holdfast/sources/answer-kind';
import type { OpenedToolset } from './toolsets.ts';

export type SourceFinding = {
  toolset: string;
  instance?: string;
  tool: string;
  /** `nothing` is an answer, too. */
  answer: 'data' | AnswerKind;
  /** The beginning of the answer, without secrets. */
  said: string;
};

const checkMs = 10_000;
const saidLength = 400;
const sampleLength = 100;

/** One finding for each check and instance, at the same time. Checks of tools that are absent are left out. */
export async function checkToolset(
  { name: toolset, made, changes, instances = [], checks = [] }: OpenedToolset,
  redact: (text: string) => string,
  timeoutMs = checkMs,
): Promise<SourceFinding[]> {
  const asked = instances.flatMap(({ name: instance }) =>
    checks.flatMap(({ tool: name, with: args = {} }) => {
      const tool = [...made, ...changes.readers].find(({ spec }) => spec.name === name);
      return tool === undefined ? [] : [{ tool, instance, args: { ...args, ...defined({ instance }) } }];
    }),
  );
  return Promise.all(
    asked.map(async ({ tool, instance, args }): Promise<SourceFinding> => {
      const place = { toolset, tool: tool.spec.name, ...defined({ instance }) };
      const signal = AbortSignal.timeout(timeoutMs);
      const late = `Not reachable: no answer within ${timeoutMs / 1_000} s.`;
      const failed = (said: string): SourceFinding =>
        signal.aborted
          ? { ...place, answer: 'not_reachable', said: late }
          : { ...place, answer: 'failed', said: toOneLine(redact(said), saidLength) };
      try {
        const { text, isError, details } = await tool.run(tool.parse(args), contextOf(signal, redact));
        const answer = answerKindIn(details);
        if (answer !== undefined) return { ...place, answer, said: toOneLine(redact(text), saidLength) };
        return isError
          ? failed(text)
          : { ...place, answer: 'data', said: toOneLine(redact(text.split('\n', 1)[0] ?? ''), sampleLength) };
      } catch (error) {
        return failed(describeParseError(error));
      }
    }),
  );
}

/** There is no session, and nothing is stored. */
function contextOf(signal: AbortSignal, redact: (text: string) => string): ToolContext {
  const context: Partial<ToolContext> = {
    signal,
    onUpdate: () => undefined,
    addOutput: () => Promise.resolve(),
    redact,
  };
  return context as ToolContext;
}
