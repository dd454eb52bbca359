import type { Catalog, Warning } from '#domains/workflows/contract.ts'
import type { Trigger } from '../catalog.ts'
import type { TreeNode } from '../tree.ts'

/** What a schema of the catalogue says of one field. */
export type FieldSchema = {
  title?: string
  description?: string
  control?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** What surrounds the field that is asked for. */
export type Around = {
  catalog: Catalog
  trigger: Trigger
  problems: readonly Warning[]
  canWrite: boolean
}

export type ControlProps = {
  label: string
  /** Where it stands, as the server names it when it is wrong. */
  path: string
  schema: FieldSchema
  value: unknown
  /** Undefined takes it away. */
  set: (value: unknown) => void
  fault: string | undefined
  node: TreeNode
  around: Around
}
