// The code that a toolset's tool may name: for sources that neither a command nor HTTP reads safely. Runs in Node.
import type { CodeName } from '@holdfast/sources/toolset.schema';
import type { CodeHandler } from './code-handler.ts';
import { mongodbAggregate, mongodbCollections, mongodbCommands, mongodbFind } from './mongodb.ts';

export const codeHandlers = {
  'mongodb.commands': mongodbCommands,
  'mongodb.collections': mongodbCollections,
  'mongodb.find': mongodbFind,
  'mongodb.aggregate': mongodbAggregate,
} satisfies Record<CodeName, CodeHandler>;
