// A store of objects, as a reader of docs/artifacts.md may have one.
const objects = new Map<string, Uint8Array>();

export const bucket = {
  async write(key: string, bytes: Uint8Array | string): Promise<void> {
    objects.set(key, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
  },
  async read(key: string): Promise<Uint8Array | undefined> {
    return objects.get(key);
  },
};
