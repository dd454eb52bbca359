import { Button } from '@mantine/core'
import IconChevronDown from 'icon:chevron-down'
import { useState } from 'react'
import { useMembers, useUser } from '../../queries.ts'
import { Person } from '../../ui/person.tsx'
import { Picker } from '../../ui/picker.tsx'
import { count } from '../../ui/words.ts'

type Props = { chosen: string[]; set: (ids: string[] | undefined) => void }

/** Whose meetings are shown: everybody's, or of those who are chosen. */
export function HostFilter({ chosen, set }: Props) {
  const [isOpen, setOpen] = useState(false)
  const me = useUser().id
  const members = useMembers()
  const own = members.find(({ id }) => id === me)
  const others = members.filter(({ id }) => id !== me)
  const name = (id: string) => {
    const member = members.find(each => each.id === id)
    return id === me ? 'Yours' : member ? member.name || member.email : 'A former member'
  }
  const words =
    chosen.length === 0
      ? 'Everybody’s'
      : chosen.length === 1
        ? name(chosen[0]!)
        : `${count(chosen.length)} members`
  const button = (
    <Button
      size="xs"
      variant={chosen.length > 0 ? 'light' : 'default'}
      aria-label={`Whose meetings: ${words}`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      rightSection={<IconChevronDown size={14} />}
      onClick={() => setOpen(!isOpen)}
    >
      {words}
    </Button>
  )
  if (!isOpen) return button
  return (
    <Picker
      label="Whose meetings"
      options={[...(own ? [own] : []), ...others].map(member => ({
        value: member.id,
        label: member.id === me ? 'Yours' : member.name || member.email,
        node: <Person member={member.id === me ? { ...member, name: 'Yours' } : member} />,
      }))}
      chosen={chosen}
      pick={id => {
        const next = chosen.includes(id) ? chosen.filter(each => each !== id) : [...chosen, id]
        set(next.length > 0 ? next : undefined)
      }}
      close={() => setOpen(false)}
      footer={
        chosen.length > 0 && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => (set(undefined), setOpen(false))}>
            Everybody’s
          </Button>
        )
      }
    >
      {button}
    </Picker>
  )
}
