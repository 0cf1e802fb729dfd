// The destinations of a config, ready to send. Loads nothing where a config has none.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MissingPackage } from '../activities/base/load-peer.ts';
import { packageFolder } from '../config/own-version.ts';
import type { DestinationConfig } from '../activities/delivery/destination.schema.ts';
import type { Destinations } from '../activities/delivery/destinations.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { mapValues } from '@holdfast/base/map-values';

/** Throws a ConfigError for a mapping that is not there, or has a mistake, and for a package that is not installed. */
export async function destinationsOf(
  { destinations }: Pick<Config, 'destinations'>,
  resolve: (text: string) => Promise<string>,
): Promise<Destinations> {
  if (Object.keys(destinations).length === 0) return new Map();
  const { openDestinations } = await import('../activities/delivery/destinations.ts');
  const { MappingError } = await import('../activities/delivery/mapping.ts');
  try {
    return await openDestinations(mapValues(destinations, withFile), resolve);
  } catch (error) {
    const isOfConfig = error instanceof MappingError || error instanceof MissingPackage;
    throw isOfConfig ? new ConfigError(error.message, { cause: error }) : error;
  }
}

/** A path is already absolute; a bare name is a mapping of the package. */
function withFile(destination: DestinationConfig): DestinationConfig {
  const { mapping } = destination;
  if (!mapping || /[/\\]/.test(mapping.file)) return destination;
  const folder = join(packageFolder(), 'catalog/destinations');
  const file = join(folder, `${mapping.file}.yaml`);
  if (existsSync(file)) return { mapping: { ...mapping, file } };
  throw new ConfigError(
    `A destination has the mapping "${mapping.file}": expected discord, google-chat, jira, servicenow, pagerduty-note, or a path such as ./mappings/${mapping.file.replace(/\.ya?ml$/, '')}.yaml.`,
  );
}
