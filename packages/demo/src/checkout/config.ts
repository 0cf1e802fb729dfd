// The Holdfast configuration of the checkout incident: open folders and hosts, a shell that asks before it changes
// anything, a tool of its own, and the script that plays the model without a key. Worker.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type HoldfastConfig } from '../../../../src/config/define-config.ts';
import { readPlace } from './place.ts';
import { taskFor } from './prompt.ts';
import { createRollbackConfig } from './rollback-config.ts';

/** The script of the scripted model for this incident, healthy or not. */
export const checkoutScriptPath = fileURLToPath(new URL('./script.yaml', import.meta.url));

/** The same with a team: an investigator, three analysts, a critic. */
const teamScriptPath = fileURLToPath(new URL('../../../../examples/team/script.yaml', import.meta.url));

/**
 * The configuration for the incident in `dir`. Imported by the config file that the incident writes.
 * @public
 */
export function createCheckoutConfig(
  dir: string,
  { team, alert = false }: { team: boolean; alert?: boolean },
): HoldfastConfig {
  const place = readPlace(dir);
  const { shop, payments } = place.urls;
  return defineConfig({
    tools: [createRollbackConfig(place)],
    script: team ? teamScriptPath : checkoutScriptPath,
    files: { roots: [place.systemDir] },
    http: { allow: [new URL(shop).host, new URL(payments).host] },
    shell: {},
    artifactsDir: `${dir}/artifacts`,
    ...(alert && alertParts(dir)),
  });
}

/** Name of the receiver of the demo by alert. */
export const receiverName = 'shop';

/** Destination of its messages. */
export function deliveredFolder(dir: string): string {
  return join(dir, 'delivered');
}

/** Receiver of alerts about the shop. */
function alertParts(dir: string): HoldfastConfig {
  return {
    destinations: { desk: { file: { folder: deliveredFolder(dir) } } },
    receivers: {
      [receiverName]: {
        format: 'alertmanager',
        debounceMs: 1_000,
        task: taskFor(readPlace(dir)),
        start: { deliver: [{ to: 'desk', on: ['start', 'question', 'end'] }] },
      },
    },
  };
}
