// Every known program, one file for each family. A name that is not here is not known to only read.
import { onFiles, opening, type CommandSpec } from '../command-spec.ts';
import { builtins } from './builtins.ts';
import { cloud } from './cloud.ts';
import { containers } from './containers.ts';
import { databases } from './databases.ts';
import { files } from './files.ts';
import { repositories } from './git.ts';
import { interpreters } from './interpreters.ts';
import { kubernetes } from './kubernetes.ts';
import { network } from './network.ts';
import { certificates } from './openssl.ts';
import { packages, system } from './system.ts';
import { textPrograms } from './text.ts';
import { wrappers } from './wrappers.ts';

export const table: Record<string, CommandSpec> = {
  ...onFiles(textPrograms),
  ...onFiles(files),
  ...system,
  ...opening(packages),
  ...opening(network),
  ...opening(certificates),
  ...opening(kubernetes),
  ...opening(containers),
  ...opening(cloud),
  ...opening(databases),
  ...interpreters,
  ...repositories,
  ...wrappers,
  ...builtins,
};
