import type { Catalog, Warning } from '#domains/workflows/contract.ts'
import type { Trigger } from '../catalog.ts'
import type { TreeNode } from '../tree.ts'

/** The schema of a field in the catalog. */
export type FieldSchema = {
  title?: string
  description?: string
  control?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** The context of a field. */
export type Around = {
  catalog: Catalog
  trigger: Trigger
  problems: readonly Warning[]
  canWrite: boolean
}

export type ControlProps = {
  label: string
  /** Its path in the definition, as in problems from the server. */
  path: string
  schema: FieldSchema
  value: unknown
  /** Undefined removes it. */
  set: (value: unknown) => void
  fault: string | undefined
  node: TreeNode
  around: Around
}
