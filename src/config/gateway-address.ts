// The address of the gateway: where it listens, and where its callers find it. Pure.
import type { GatewayConfig } from './schema/gateway.schema.ts';

export function listenAddress({ host = '127.0.0.1', port = 7_080 }: GatewayConfig): {
  host: string;
  port: number;
} {
  return { host, port };
}

/** Such as `http://127.0.0.1:7080`; `port` is the one that it listens on. */
export function gatewayUrl({ tls, ...gateway }: GatewayConfig, port: number): string {
  const { host } = listenAddress(gateway);
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
