// The names of this machine's own interface. Pure.

/** As addresses have them: an IPv6 address in brackets. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** As a server listens on them. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '::1'];
