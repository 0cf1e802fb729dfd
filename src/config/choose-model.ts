// Chooses the model of a process, with the reason.
import { vendors } from '@holdfast/providers/vendors';
import { expectedModelName, parseModelName } from '@holdfast/vocabulary/model-name';
import { ConfigError } from './config-file.ts';
import type { HoldfastConfig } from './define-config.ts';
import type { Environment } from './environment.ts';
import { type Variables, describeEnvFile } from './variables.ts';

export type ChosenModel = {
  /** `<provider>:<model id>` for agents that name none. */
  model: string;
  /** The reason for this model, for people. */
  modelReason: string;
};

/** The model of a worker without any key. */
const scriptedModel = 'scripted:incident';

/** Order: command line, environment, config file, first vendor with a key. */
export function chooseModel(
  variables: Variables,
  user: HoldfastConfig,
  { cwd, model: fromCommandLine }: { cwd: string; model?: string | undefined },
): ChosenModel {
  if (fromCommandLine !== undefined) {
    if (parseModelName(fromCommandLine) === undefined) {
      throw new ConfigError(`--model is "${fromCommandLine}": expected ${expectedModelName}.`);
    }
    return { model: fromCommandLine, modelReason: 'given on the command line' };
  }
  if (variables.HOLDFAST_MODEL) return { model: variables.HOLDFAST_MODEL, modelReason: 'HOLDFAST_MODEL' };
  if (user.model) return { model: user.model, modelReason: 'the config file' };
  const given: Environment = variables;
  for (const { prefix, defaultModel } of vendors) {
    const key = [`${prefix}_API_KEY`, `${prefix}_API_KEY_FILE`].find((name) => given[name]);
    if (key !== undefined) return { model: defaultModel, modelReason: `${key} is set` };
  }
  const keys = vendors.map(({ prefix }) => `${prefix}_API_KEY`).join(', ');
  const reasons = [`no model key is set (${keys})`, ...describeEnvFile(cwd, given)];
  return { model: scriptedModel, modelReason: reasons.join('; ') };
}
