// Packages that are installed only where a config asks for them. Runs in Node.
import { hasCode } from '@holdfast/base/has-code';
import { messageOf } from '@holdfast/base/message-of';

/** A config asks for a package that is not there. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
}

/** Loads the optional peer `name` for `feature`. Rejects with a MissingPackage, which says how to install it. */
export async function loadPeer<T>(name: string, feature: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    const message =
      `${feature} needs the package ${name}, which cannot be loaded (${messageOf(error)}). ` +
      `Run "npm install ${name}" where holdfast is installed.`;
    throw new MissingPackage(message, { cause: error });
  }
}
