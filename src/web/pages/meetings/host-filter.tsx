import { Button } from '@mantine/core'
import IconChevronDown from 'icon:chevron-down'
import { useState } from 'react'
import { useMembers, useUser } from '../../queries.ts'
import { Person } from '../../ui/person.tsx'
import { Picker } from '../../ui/picker.tsx'
import { count } from '../../ui/words.ts'

type Props = { chosen: string[]; set: (ids: string[] | undefined) => void }

/** Filters meetings by host. */
export function HostFilter({ chosen, set }: Props) {
  const [isOpen, setOpen] = useState(false)
  const me = useUser().id
  const members = useMembers()
  const own = members.find(({ id }) => id === me)
  const others = members.filter(({ id }) => id !== me)
  const name = (id: string) => {
    const member = members.find(each => each.id === id)
    return id === me ? 'You' : member ? member.name || member.email : 'Former member'
  }
  const words =
    chosen.length === 0
      ? 'All hosts'
      : chosen.length === 1
        ? name(chosen[0]!)
        : `${count(chosen.length)} hosts`
  const button = (
    <Button
      size="xs"
      variant={chosen.length > 0 ? 'light' : 'default'}
      aria-label={`Host: ${words}`}
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
      label="Host"
      options={[...(own ? [own] : []), ...others].map(member => ({
        value: member.id,
        label: member.id === me ? 'You' : member.name || member.email,
        node: <Person member={member.id === me ? { ...member, name: 'You' } : member} />,
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
            All hosts
          </Button>
        )
      }
    >
      {button}
    </Picker>
  )
}
