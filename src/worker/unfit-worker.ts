// Reports the parts that a session needed and this worker lacks. The session's tasks go back to the queue, so without
// this line the worker shows no trace of them. Runs in Node.
import { type ActivityInterceptorsFactory, Runtime } from '@temporalio/worker';
import { isHandBack } from '../activities/base/hand-back.ts';

/** Calls `onLack` once for each lack; default is the SDK's log. */
export function reportLacks(onLack?: (lack: string) => void): ActivityInterceptorsFactory {
  const reported = new Set<string>();
  const report = onLack ?? ((lack: string) => Runtime.instance().logger.warn(lack));
  return () => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (isHandBack(error) && !reported.has(error.message)) {
            reported.add(error.message);
            report(error.message);
          }
          throw error;
        }
      },
    },
  });
}
