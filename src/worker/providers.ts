// The model providers of a worker: real with their keys, played from a script, or missing with the reason.
import { messageOf } from '../../packages/base/src/message-of.ts';
import type { ModelProvider } from '../../packages/providers/src/model-provider.ts';
import { createOwnProvider } from '../../packages/providers/src/own-provider.ts';
import { createScriptedProvider } from '../../packages/providers/src/scripted.ts';
import { builtInProviders, createVendorProvider } from '../../packages/providers/src/vendors.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { problemOfModel } from '../core/agent/start.ts';
import { toModelName } from '../../packages/vocabulary/src/model-name.ts';
import { loadModelScript } from '../../packages/scripted-model/src/load-model-script.ts';
import type { ModelScript } from '../../packages/scripted-model/src/model-script.ts';

/** A script that replaces the model, and its player. */
export type PlayedModel = { script: ModelScript } & Pick<ModelProvider, 'call'>;

/** The script plays under every provider name, so that agents keep their models. */
export function playEverywhere(play: PlayedModel, config: Config): Map<string, ModelProvider> {
  const own = [...Object.keys(config.providers), ...Object.keys(config.missingProviders)];
  return new Map(
    [...builtInProviders.keys(), 'scripted', ...own].map((name) => [
      name,
      { name, call: (request, options) => play.call(request, options) },
    ]),
  );
}

export function createProviders(config: Config, script: ModelScript | undefined): Map<string, ModelProvider> {
  const made = Object.entries(config.providers).map(([name, settings]): [string, ModelProvider] => {
    const abilitiesOf = (id: string) => config.models[toModelName({ provider: name, id })] ?? {};
    const own = config.modelProviders[name];
    if (own !== undefined) return [name, createOwnProvider(name, own, { ...settings, abilitiesOf })];
    return [name, createVendorProvider(name, { ...settings, abilitiesOf })];
  });
  const scripted = script === undefined ? [] : [createScriptedProvider(script)];
  return new Map([...made, ...scripted.map((provider) => [provider.name, provider] as const)]);
}

export async function readScript(path: string): ReturnType<typeof loadModelScript> {
  try {
    return await loadModelScript(path);
  } catch (error) {
    throw new ConfigError(messageOf(error), { cause: error });
  }
}

/** The reason for which a worker of this config could not use the model of a vendor. */
export function problemOfProvider(config: Config, model: string): string | undefined {
  const providers = createProviders(config, undefined);
  const missing = missingProviders(providers, config);
  return problemOfModel(model, { providers: new Set(providers.keys()), missing });
}

/** Unavailable providers, each with its requirement. */
export function missingProviders(
  providers: ReadonlyMap<string, ModelProvider>,
  { missingProviders: own }: Config,
): Map<string, string> {
  const needOf = ({ prefix }: { prefix: string }): string =>
    `set ${prefix}_API_KEY or ${prefix}_API_KEY_FILE, or ${prefix}_BASE_URL for a server that wants no key.`;
  const needs: [name: string, need: string][] = [
    ...[...builtInProviders].map(([name, { vendor }]): [string, string] => [name, needOf(vendor)]),
    [
      'scripted',
      'no model key is set (OPENAI_API_KEY, ANTHROPIC_API_KEY), and the config names no script for the scripted ' +
        'model. Set a key, or name another model in the config. Two things need no key: "holdfast init" sets up a project, ' +
        'and "holdfast demo" shows the agent at work.',
    ],
    ...Object.entries(own),
  ];
  return new Map(needs.filter(([name]) => !providers.has(name)));
}
