type Listening = { address(): { port: number } | string | null };

/** The port of a server that listens on one. Throws for any other. */
export function listeningPort(server: Listening): number {
  const address = server.address();
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error(`The server listens at ${address ?? 'no address'}: expected a port.`);
}
