// The spec of the tool hypotheses, whose body runs in the workflow (core/loop/workflow-tools/hypotheses.ts). Runs in Node.
import { z } from 'zod';
import { declareWorkflowTool } from '../tools/define-tool.ts';

const predictions = z
  .array(
    z.strictObject({
      call: z.string().max(500).describe('Tool, and at what.'),
      expect: z.string().max(500).describe('Shows, if true.'),
      refutes: z.boolean().optional().describe('Else it is refuted; one at least.'),
    }),
  )
  .max(8);

/** The parts of a new hypothesis are checked by update-hypotheses.ts, which names what is missing. */
export const hypothesesTool = declareWorkflowTool({
  name: 'hypotheses',
  label: 'Hypotheses',
  description:
    'Keeps two or more explanations, and what each predicts: written before the calls that test it. Say with test which line ' +
    'answered. The report needs it for "confirmed".',
  input: z.strictObject({
    add: z
      .array(
        z.strictObject({
          id: z.string().max(20).optional().describe('To add predictions.'),
          statement: z.string().max(500).optional(),
          component: z.string().max(200).optional(),
          kind: z.string().max(100).optional(),
          predictions,
        }),
      )
      .max(8)
      .optional(),
    test: z
      .array(
        z.strictObject({
          id: z.string().max(20).describe('E.g. "h1.2".'),
          callId: z.string().max(500),
          quote: z.string().max(2_000),
          opposite: z.boolean().optional(),
        }),
      )
      .max(20)
      .optional(),
  }),
});
