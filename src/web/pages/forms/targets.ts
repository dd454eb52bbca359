import { useQuery } from '@tanstack/react-query'
import { leadTargets } from '#domains/forms/values.ts'
import { leadSettingsQuery } from '../../queries.ts'
import { leadFields } from '../../records/leads/fields.ts'

export type Target = { value: string; label: string; isCustom: boolean }

/** The lead fields that answers can fill, with the labels of the team. */
export function useTargets(): Target[] {
  const fields = leadFields(useQuery(leadSettingsQuery).data)
  const isTarget = (key: string) => (leadTargets as readonly string[]).includes(key)
  return fields
    .filter(({ key }) => isTarget(key) || key.startsWith('custom.'))
    .map(({ key, label }) => ({ value: key, label, isCustom: key.startsWith('custom.') }))
}

export function useTargetName(): (target: string) => string {
  const targets = useTargets()
  return target => targets.find(({ value }) => value === target)?.label ?? target.replace('custom.', '')
}
