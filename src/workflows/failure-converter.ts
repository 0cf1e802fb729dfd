// How an error of the workflow becomes a failure in the history. Part of the workflow bundle. With encryption its message
// and stack go into a payload, which the codec of the worker encrypts.
import { ApplicationFailure, DefaultFailureConverter } from '@temporalio/common';
import { cannotDecrypt } from '../core/base/failures.ts';
import { encodesFailures } from '../core/model/outer-names.ts';

type Convert = DefaultFailureConverter['errorToFailure'];

export class FailureConverter extends DefaultFailureConverter {
  readonly #encoding = new DefaultFailureConverter({ encodeCommonAttributes: true });
  readonly #isOn: () => boolean;

  constructor(isOn: () => boolean) {
    super();
    this.#isOn = isOn;
  }

  override errorToFailure(...[error, ...rest]: Parameters<Convert>): ReturnType<Convert> {
    // it names keys only, and is meant for an operator who may have none of them
    const isClear = !this.#isOn() || isCodecError(error);
    return isClear ? super.errorToFailure(error, ...rest) : this.#encoding.errorToFailure(error, ...rest);
  }
}

function isCodecError(error: unknown): boolean {
  if (error instanceof ApplicationFailure) return error.type === cannotDecrypt;
  return error instanceof Error && error.name === cannotDecrypt;
}

/** Named as the SDK expects it. */
export const failureConverter = new FailureConverter(() => Reflect.get(globalThis, encodesFailures) === true);
