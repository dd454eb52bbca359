type Node = {
  port: number
  pid: number | undefined
  url(database: string, user?: string): string
  start(extra?: Record<string, string | number>): Promise<void>
  run<Row = Record<string, unknown>>(database: string, text: string): Promise<Row[]>
  createDatabase(name: string): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
}

export type CitusCluster = {
  nodes: Node[]
  coordinator: Node
  createDatabase(name: string): Promise<string>
  addToDatabase(name: string, node: Node): Promise<void>
  addNode(name: string): Promise<Node>
  stop(): Promise<void>
}

/** Why there is no cluster, and how to get one. */
export const CITUS_MISSING: string
/** Where the programs of a PostgreSQL with Citus are; undefined when there is none. */
export function findCitus(): string | undefined
export function startCitus(options?: {
  workers?: number
  settings?: Record<string, string | number>
}): Promise<CitusCluster>
