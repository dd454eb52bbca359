import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { menuProps } from '../../ui/menu-props.ts'
import { placeholdersQuery } from './sequences-cache.ts'
import textClasses from '../../ui/text.module.css'
import classes from './steps.module.css'

/** Data of the triggering event, if there is one. */
export type OfEvent = readonly { name: string; label: string }[]

type Props = { insert: (text: string) => void; ofEvent: OfEvent | undefined; children: ReactElement }

const NOTHING: OfEvent = []

/** The available placeholders, each with an example. The focus returns to the text. */
export function PlaceholderList({ insert, ofEvent = NOTHING, children }: Props) {
  const { data } = useQuery(placeholdersQuery)
  return (
    <Menu position="bottom-end" width={260} returnFocus={false} defaultOpened {...menuProps}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={classes.choices}>
        {ofEvent.length > 0 && <Menu.Label>From the event</Menu.Label>}
        {ofEvent.map(({ name, label }) => (
          <Menu.Item key={name} onClick={() => insert(`{{${name}}}`)}>
            {label}
            <span className={textClasses.under}>{`{{${name}}}`}</span>
          </Menu.Item>
        ))}
        {ofEvent.length > 0 && <Menu.Label>From the lead</Menu.Label>}
        {!data && <Menu.Label>Loading …</Menu.Label>}
        {data?.map(({ name, label, sample }) => (
          <Menu.Item key={name} onClick={() => insert(`{{${name}}}`)}>
            {label}
            <span className={textClasses.under}>
              {`{{${name}}}`}
              {sample && `, e.g. ${sample}`}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
