import { Button, Menu } from '@mantine/core'
import IconCheck from 'icon:check'
import IconChevronDown from 'icon:chevron-down'
import type { Member } from '#domains/identity/contract.ts'
import type { Role } from '#platform/scopes.ts'
import { useUser } from '../../queries.ts'
import { changeRole, nameOf } from './member-writes.ts'
import { roleAbouts, roleNames, rolesUpTo } from '../../records/members/roles.ts'
import textClasses from '../../ui/text.module.css'

export function RoleMenu({ member }: { member: Member }) {
  const { teamRole } = useUser()
  return (
    <Menu position="bottom-start" width={270} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          size="xs"
          fullWidth
          justify="space-between"
          variant="default"
          rightSection={<IconChevronDown size={14} />}
          aria-label={`${roleNames[member.role]}: change the role of ${nameOf(member)}`}
        >
          {roleNames[member.role]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={member.role}
          onChange={role => void changeRole(member, role as Role)}
          aria-label={`Role of ${nameOf(member)}`}
        >
          {rolesUpTo(teamRole).map(role => (
            <Menu.RadioItem
              key={role}
              value={role}
              closeMenuOnClick
              checkIcon={<IconCheck size={16} />}
              data-autofocus={role === member.role || undefined}
            >
              {roleNames[role]}
              <span className={textClasses.under}>{roleAbouts[role]}</span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
