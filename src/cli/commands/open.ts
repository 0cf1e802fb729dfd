// holdfast open: a session in the Temporal UI. Always prints the address; opens a browser if a person sits at the
// terminal.
import type { CliCommand } from '../cli-command.ts';
import { UserError } from '../../common/user-error.ts';

export function registerOpen(program: CliCommand): void {
  program
    .sessionCommand('open')
    .examples(['open checkout-is-slow-k3v9x', 'open checkout-is-slow-k3v9x --json | jq -r .url'])
    .onSession(async ({ access, output }, session) => {
      const { sessionId } = session;
      // an unknown session opens no page that reports it late
      await session.describe();
      const url = access.uiAddressOf(sessionId);
      if (url === undefined)
        throw new UserError(
          `Where the UI of ${access.settings.address} is, is not known: expected its address in HOLDFAST_UI_URL.`,
        );
      output.emit({ type: 'ui', sessionId, url });
      output.print(url);
      if (!output.terminal) return;
      const { default: open } = await import('open');
      const browser = await open(url);
      browser.once('error', () => output.say('No browser could be started here: open the address by hand.'));
      browser.unref();
    });
}
