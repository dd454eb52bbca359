import { PORT } from './locks.ts'

type Marked = { mark: string; reach: { path: string } }

/** The words `postgres` is started with. The caller's settings win over ours, except for where the server is found. */
export function serverArguments(
  cluster: Marked,
  socketFolder: string,
  settings: Record<string, string>,
): string[] {
  const all = {
    ...SETTINGS,
    ...settings,
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: `"${socketFolder}"`,
    cluster_name: cluster.mark,
  }
  return [
    '-D',
    cluster.reach.path,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

// For a small machine that also runs Node: one team's database fits into memory, and queries are short.
const SETTINGS: Record<string, string> = {
  max_connections: '100',
  shared_buffers: '256MB',
  // A checkpoint makes every page be written whole once more: under load they should not come by the minute.
  max_wal_size: '2GB',
  wal_compression: 'on',
  // Compiling a plan takes longer than our queries run.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '[%p] ',
  unix_socket_permissions: '0700',
}
