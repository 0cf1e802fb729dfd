// The code that a toolset's tool may name: for sources that neither a command nor HTTP reads safely. Runs in Node.
import type { Json } from '../../../core/base/json.ts';
import { mongodbAggregate, mongodbCollections, mongodbCommands, mongodbFind } from './mongodb.ts';

export type CodeContext = {
  /** By name, without those that have no value; secrets are resolved. */
  settings: Readonly<Record<string, string>>;
  /** Aborted on a stop, and at the tool's time limit. */
  signal: AbortSignal;
};

/** Only reads. The answer is JSON, for the rows of the tool. A throw is a failed call: `signs` tell which kind. */
export type CodeHandler = (request: Json, context: CodeContext) => Promise<string>;

export const codeHandlers = {
  'mongodb.commands': mongodbCommands,
  'mongodb.collections': mongodbCollections,
  'mongodb.find': mongodbFind,
  'mongodb.aggregate': mongodbAggregate,
} satisfies Record<string, CodeHandler>;

export const codeNames = Object.keys(codeHandlers) as [keyof typeof codeHandlers];
