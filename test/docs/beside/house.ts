// What the house of a reader of docs/models.md may have: a vault, an audit log, a meter.
import type { Message } from '@holdfast/vocabulary/messages';

export const vault = { read: async (path: string): Promise<string> => `key of ${path}` };
export const audit = { write(_session: string, _model: string, _body: unknown): void {} };
export const meter = { count(_status: number, _remaining: string | undefined): void {} };
export const isStillOfUse = ({ role }: Message): boolean => role !== 'custom';
