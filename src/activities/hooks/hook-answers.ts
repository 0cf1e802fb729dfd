// Checks what a hook answers at its point (packages/vocabulary/src/hook.ts): the types of a config are not checked when it is loaded,
// and a guard whose answer is not understood must not let a call pass. Runs in Node, pure.
import { z } from 'zod';
import { describeIssues } from '@holdfast/base/schema-issues';
import type { HookOutputs, HookPoint } from '@holdfast/vocabulary/hook';
import { messageSchema, userContentSchema } from '@holdfast/vocabulary/messages.schema';
import { thinkingLevels } from '@holdfast/vocabulary/model-call';
import { brokenPair } from '@holdfast/view/view-for-model';

const flag = z.boolean().exactOptional();
const text = z.string().exactOptional();
const keeping = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().exactOptional();
const injected = z.strictObject({ inject: text });

const view = z.array(messageSchema).superRefine((messages, { addIssue }) => {
  const broken = brokenPair(messages);
  if (broken !== undefined)
    addIssue(`${broken}. Expected each call with its result directly after its reply`);
});

const answers: { [Point in HookPoint]: z.ZodType<HookOutputs[Point]> } = {
  beforeToolCall: z.strictObject({ block: flag, reason: text, terminate: flag }),
  afterToolCall: z.strictObject({
    content: keeping(z.union([z.string(), userContentSchema])),
    details: z.json().exactOptional(),
    isError: keeping(z.boolean()),
    terminate: keeping(z.boolean()),
  }),
  beforeComplete: injected,
  afterComplete: injected,
  afterResponse: injected,
  prepareNextTurn: z.strictObject({
    context: keeping(
      z.strictObject({
        systemPrompt: keeping(z.string()),
        messages: keeping(view),
        tools: keeping(z.array(z.string())),
      }),
    ),
    model: keeping(z.string()),
    thinkingLevel: keeping(z.enum(thinkingLevels)),
  }),
  shouldStopAfterTurn: z.strictObject({ stop: flag }),
  // the loop says what it can do with them
  beforeCondense: z.strictObject({ keep: z.number().exactOptional(), summary: text }),
  runStart: z.strictObject({ answer: text, fail: text }),
  runEnd: z.strictObject({ fail: text, retry: text, answer: text }),
};

/** The fault of an answer in JSON; undefined if there is none. */
export function faultOf(output: unknown, point: HookPoint): string | undefined {
  const schema = answers[point];
  const { error } = schema.safeParse(output);
  return (
    error &&
    `its answer is not one of ${point}: ${describeIssues(error, 'answer', schema).slice(0, 5).join('; ')}`
  );
}
