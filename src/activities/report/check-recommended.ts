// Recommendations of a report, as the policy of its run would judge them: each command as a call of bash, each named tool
// by its rules. Runs in Node.
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { hasWord } from '@holdfast/base/whole-word';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { noUsage } from '@holdfast/vocabulary/messages';
import type { Recommended, RepeatedCommand } from '@holdfast/report/report';
import type { PrepareCalls } from '../model/prepare-calls.ts';
import { commandsIn } from './told-commands.ts';

const refusalLength = 150;

type Judging = {
  prepareCalls: PrepareCalls;
  context: FrozenContext | undefined;
  told: ReadonlyMap<string, readonly RepeatedCommand[]>;
};

/** The words of a recommendation in which a command may be. */
export function wordsOfRecommended({ text, rollback }: Recommended): string {
  return [text, rollback].filter(Boolean).join('\n');
}

export async function checkRecommended(
  recommended: readonly Recommended[],
  { prepareCalls, context, told }: Judging,
): Promise<Recommended[]> {
  return Promise.all(
    recommended.map(async (each): Promise<Recommended> => {
      const words = wordsOfRecommended(each);
      const [repeats] = told.get(words) ?? [];
      const refused = context && (await refusalOf(words, prepareCalls, context));
      const { text, risk, rollback } = each;
      return { text, ...defined({ risk, rollback, repeats, refused }) };
    }),
  );
}

/** The reason of the first call in the words that the policy denies; undefined if it denies none. */
async function refusalOf(
  words: string,
  prepareCalls: PrepareCalls,
  context: FrozenContext,
): Promise<string | undefined> {
  const hasBash = context.tools.some(({ name }) => name === 'bash');
  const calls = [
    ...(hasBash ? commandsIn(words).map((command) => ({ name: 'bash', args: { command } })) : []),
    ...context.tools
      .filter(({ name, effect }) => effect !== 'read' && /[_-]/.test(name) && hasWord(words, name))
      .map(({ name }) => ({ name, args: {} })),
  ];
  if (calls.length === 0) return undefined;
  const prepared = await prepareCalls(asMessage(calls), context);
  const denied = prepared.find((call) => call.status === 'ready' && call.decision === 'deny');
  if (denied?.status !== 'ready') return undefined;
  return cutText(`${denied.summary}: ${denied.reason ?? 'denied by a rule'}`, refusalLength);
}

function asMessage(calls: readonly { name: string; args: object }[]): AssistantMessage {
  return {
    role: 'assistant',
    content: calls.map(({ name, args }, index) => ({
      type: 'tool_call',
      callId: `recommended-${index}`,
      name,
      arguments: JSON.stringify(args),
    })),
    stopReason: 'tool_use',
    usage: noUsage,
    model: { provider: '', id: '' },
  };
}
