// Shows everything the model receives before the conversation, as this configuration would freeze it, with the tokens of
// each part. Starts nothing.
import { defined } from '@holdfast/base/defined';
import { createPromptFiles } from '../activities/assembly/prompt-files.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-file.ts';
import { messageOf } from '@holdfast/base/message-of';
import { assembleHere } from './assemble-here.ts';
import { textTokens } from '@holdfast/base/text-tokens';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';
import type { Parts } from './parts.ts';

/** Rejects with the reason for which such a run could not begin. */
export async function showPrompt(config: Config, parts: Parts, input: SessionInput) {
  const { promptDir } = config;
  const read =
    promptDir === undefined
      ? undefined
      : await createPromptFiles(promptDir, parts.redactor.text)().catch(refuse);
  const readPromptFiles = read && (() => Promise.resolve(read));
  const context = await assembleHere(config, parts, defined({ input, readPromptFiles }));
  const { systemPrompt, promptSections = [], agent, model, settings } = context;
  const definitions = toDefinitions(context.tools);
  let from = 0;
  const sections = promptSections.map(({ id, length }) => {
    const text = systemPrompt.slice(from, from + length);
    from += length;
    return { part: id, text };
  });
  const ofTools = definitions.map((tool) => ({ part: `tool ${tool.name}`, text: JSON.stringify(tool) }));
  const counted = [...sections, ...ofTools].map(({ part, text }) => ({ part, tokens: textTokens(text) }));
  const tokens = counted.reduce((sum, each) => sum + each.tokens, 0);
  return {
    agent,
    model: `${model.provider}:${model.id}`,
    systemPrompt,
    tools: definitions,
    modes: { mode: settings.mode, dryRun: settings.dryRun, offTheRecord: settings.offTheRecord },
    // the sections of the system prompt in order, then the tools; tokens are estimates
    parts: counted.map((each) => ({
      part: each.part,
      tokens: Math.round(each.tokens),
      percent: Math.round((1_000 * each.tokens) / tokens) / 10,
    })),
    tokens: Math.round(tokens),
  };
}

function refuse(error: unknown): never {
  throw new ConfigError(`The prompt cannot be made: ${messageOf(error)}`, { cause: error });
}
