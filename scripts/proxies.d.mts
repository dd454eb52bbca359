/** Where the proxies of the tests are that put several machines together; undefined where one is missing. */
export function findProxy(name: 'haproxy' | 'pgbouncer'): string | undefined
