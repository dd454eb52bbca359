import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { leadSettingsQuery, useMembers } from '../../queries.ts'
import { Person } from '../../ui/person.tsx'
import type { Option } from '../../ui/picker.tsx'
import { Stage } from '../../ui/stage.tsx'
import { inPlainWords } from '../../ui/words.ts'
import { leadFields, type Field } from './fields.ts'

export const NOBODY = 'none'

export function useFields(): Field[] {
  const settings = useQuery(leadSettingsQuery).data
  return useMemo(() => leadFields(settings), [settings])
}

export function useField(key: string): Field | undefined {
  return useFields().find(field => field.key === key)
}

/** The options of a field. Undefined for fields that are typed. */
export function useOptions(): (field: Field) => Option[] | undefined {
  const members = useMembers()
  const settings = useQuery(leadSettingsQuery).data
  return useMemo(() => {
    const stages = settings?.pipeline_stages ?? []
    return field => {
      switch (field.kind) {
        case 'stage':
          return stages.map(stage => ({
            value: stage,
            label: inPlainWords(stage),
            node: <Stage stage={stage} stages={stages} />,
          }))
        case 'status':
          return (field.options ?? []).map(value => ({ value, label: inPlainWords(value) }))
        case 'person':
          return [
            ...members.map(member => ({
              value: member.id,
              label: member.name || member.email,
              node: <Person member={member} />,
            })),
            { value: NOBODY, label: 'Unassigned' },
          ]
        case 'choice':
          return [
            ...(field.options ?? []).map(value => ({ value, label: value })),
            { value: '', label: 'Empty' },
          ]
        case 'checkbox':
          return [
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]
        case 'timezone':
          return [
            ...zones().map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') })),
            { value: '', label: 'Empty' },
          ]
        default:
          return undefined
      }
    }
  }, [members, settings])
}

/** The value of an option in the record. */
export function optionValue(field: Field, option: string): string | boolean | null {
  if (field.kind === 'person') return option === NOBODY ? null : option
  if (field.kind === 'checkbox') return option === 'true'
  return option === '' ? null : option
}

let known: string[] | undefined

function zones(): string[] {
  return (known ??= ['UTC', ...Intl.supportedValuesOf('timeZone')])
}
