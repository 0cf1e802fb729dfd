// Converts errors of the workflow into failures for the history. Part of the workflow bundle. With encryption, message
// and stack go into a payload, which the worker's codec encrypts.
import { ApplicationFailure, DefaultFailureConverter } from '@temporalio/common';
import { cannotDecrypt } from '@holdfast/base/failures';
import { encodesFailures } from '@holdfast/vocabulary/outer-names';

type Convert = DefaultFailureConverter['errorToFailure'];

export class FailureConverter extends DefaultFailureConverter {
  readonly #encoding = new DefaultFailureConverter({ encodeCommonAttributes: true });
  readonly #isOn: () => boolean;

  constructor(isOn: () => boolean) {
    super();
    this.#isOn = isOn;
  }

  override errorToFailure(...[error, ...rest]: Parameters<Convert>): ReturnType<Convert> {
    // stays readable: it names only keys, and is for an operator who may have none of them
    const isClear = !this.#isOn() || isCodecError(error);
    return isClear ? super.errorToFailure(error, ...rest) : this.#encoding.errorToFailure(error, ...rest);
  }
}

function isCodecError(error: unknown): boolean {
  if (error instanceof ApplicationFailure) return error.type === cannotDecrypt;
  return error instanceof Error && error.name === cannotDecrypt;
}

/** The SDK requires this name. */
export const failureConverter = new FailureConverter(() => Reflect.get(globalThis, encodesFailures) === true);
