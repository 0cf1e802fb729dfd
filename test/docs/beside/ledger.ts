// Bookings by key, as the service behind a tool of docs/tools.md keeps them.
const bookings = new Map<string, string>();

export const ledger = {
  async book(key: string, account: string): Promise<void> {
    bookings.set(key, account);
  },
  async has(key: string): Promise<boolean> {
    return bookings.has(key);
  },
};
