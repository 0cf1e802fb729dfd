// The model providers of a worker: real with their keys, played from a script, or missing with the reason.
import { messageOf } from '@holdfast/base/message-of';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { createOwnProvider } from '@holdfast/providers/own-provider';
import { createScriptedProvider } from '@holdfast/providers/scripted';
import { builtInProviders, createVendorProvider } from '@holdfast/providers/vendors';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { problemOfModel } from '../core/agent/start.ts';
import { toModelName } from '@holdfast/vocabulary/model-name';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';
import type { ModelScript } from '@holdfast/scripted-model/model-script';

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
