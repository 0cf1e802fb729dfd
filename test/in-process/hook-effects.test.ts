// What a user's hook may use in a run with the activities that ship: models, artifacts, shared data, and their cost.
import { expect, test } from 'vitest';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { textOf } from '../../src/core/model/messages.ts';
import { functionModel } from '../support/function-model.ts';
import { localSession } from '../support/local-session.ts';

test('[HOOK-18c] [HOOK-19a] [HOOK-20ab] a judge asks a model at the end, keeps its verdict, and sends the answer back', async () => {
  const judge = defineHook({
    name: 'judge',
    async runEnd({ answer }, { complete, artifacts, share, data }) {
      const rounds = Number(data['rounds'] ?? 0) + 1;
      const verdict = await complete({ prompt: `Does it name a part? ${answer}` });
      await artifacts.write(`verdict-${rounds}.txt`, verdict);
      share({ rounds });
      if (verdict === 'no') return { retry: 'Name the part.' };
      return { answer: `${answer} (judged ${rounds} times)` };
    },
  });
  const model = functionModel(({ request, newTexts }) => {
    const asked = textOf(request.messages.at(-1) ?? { role: 'custom', kind: '', data: null });
    if (request.metadata.purpose === 'hook') return { text: asked.includes('pool') ? 'yes' : 'no' };
    return { text: newTexts.includes('Name the part.') ? 'the pool' : 'it broke' };
  });
  const session = await localSession({ model, hooks: [judge], agent: { hooks: [{ name: 'judge' }] } });
  const result = await session.ask('Why?');
  expect(result).toMatchObject({
    status: 'completed',
    answer: 'the pool (judged 2 times)',
    turns: 2,
    usage: { main: { input: 20 }, hook: { input: 20, output: 10 } },
  });
  const store = await createFileArtifactStore(session.artifactsDir);
  const kept = await store.get('session', 'hook-judge-verdict-2.txt');
  expect(Buffer.from(kept ?? []).toString()).toBe('yes');
});
