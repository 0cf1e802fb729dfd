// A tool as a user writes it, by the public entry: it changes something, once, and a test sees what.
import { z } from 'zod';
import { defineTool } from '../../src/config/define-config.ts';

/** `restarted`: the services, in the order of the calls. */
export function createRestartTool() {
  const restarted: string[] = [];
  const restart = defineTool({
    name: 'restart',
    description: 'Restarts a service.',
    input: z.strictObject({ service: z.string() }),
    effect: 'once',
    run: ({ service }) => {
      restarted.push(service);
      return Promise.resolve({ text: `restarted ${service}` });
    },
  });
  return { restart, restarted };
}
