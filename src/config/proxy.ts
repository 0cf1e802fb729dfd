// The proxy of a process, from the variables that curl and most programs read: Node reads them only where it is told to. Runs
// where a process starts.
import type { ProxyConfig } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { defined } from '@holdfast/base/defined';
import { loopbackHosts, loopbackNames } from '@holdfast/base/loopback';
import { ConfigError } from './config-file.ts';
import type { Environment } from './environment.ts';

type Proxies = { http_proxy?: string; https_proxy?: string; no_proxy: string };

/** Undefined without a proxy. Throws a ConfigError for one of a kind that Node does not speak. */
export function proxiesOf(environment: Environment): Proxies | undefined {
  const read = (name: string): string | undefined => {
    const value = environment[name.toLowerCase()]?.trim() || environment[name]?.trim();
    const address = value && (value.includes('://') ? value : `http://${value}`);
    if (!address || (/^https?:/i.test(address) && URL.canParse(address))) return address || undefined;
    throw new ConfigError(`${name} is not the address of a proxy: expected http://host:port, or https://.`);
  };
  const http = read('HTTP_PROXY') ?? read('ALL_PROXY');
  const https = read('HTTPS_PROXY') ?? http;
  if (https === undefined) return undefined;
  const names = (environment['no_proxy'] || environment['NO_PROXY'] || '').split(/[\s,]+/).filter(Boolean);
  // a domain has its hosts with it, as for curl
  const hosts = names.flatMap((name) => (/^[\w-]/.test(name) ? [name, `.${name}`] : [name]));
  return defined({
    http_proxy: http || undefined,
    https_proxy: https,
    no_proxy: [...loopbackNames, ...loopbackHosts, ...hosts].join(),
  });
}

/** For all requests of this process from now on, but those of `http_get`, which checks addresses itself, and to Temporal. */
export async function useProxies(environment: Environment): Promise<void> {
  const proxies = proxiesOf(environment);
  if (proxies === undefined) return;
  // Node's HTTP slows a start
  const http = await import('node:http');
  if ('setGlobalProxyFromEnv' in http) http.setGlobalProxyFromEnv(proxies);
  else throw new ConfigError('A proxy is set: expected Node 24.14 or newer, which can use it.');
}

/** For a Temporal server at `host:port`, of the client and of the worker alike. */
export function temporalProxy(environment: Environment, address: string): ProxyConfig | undefined {
  const { https_proxy: proxy = '', no_proxy: excluded = '' } = proxiesOf(environment) ?? {};
  const url = URL.parse(environment['grpc_proxy'] || proxy);
  const host = address.replace(/:\d+$/, '');
  const isExcluded = excluded.split(',').some((name) => {
    const domain = name.replace(/^\*?\./, '.');
    return [host, '*'].includes(name) || (domain.startsWith('.') && host.endsWith(domain));
  });
  if (url === null || isExcluded) return undefined;
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  const targetHost = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
  return defined({
    type: 'http-connect',
    targetHost,
    basicAuth: username ? { username, password: password ?? '' } : undefined,
  });
}
