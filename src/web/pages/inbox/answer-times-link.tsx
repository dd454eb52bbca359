import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import IconChartBar from 'icon:chart-bar'
import type { AnchorHTMLAttributes, Ref } from 'react'
import { paths } from '../../paths.ts'

type Props = ActionIconProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ActionIconProps> & { ref?: Ref<HTMLAnchorElement> }

const IconLink = createLink((props: Props) => <ActionIcon component="a" {...props} />)

/** To the report of how soon conversations are answered. */
export function AnswerTimesLink() {
  return (
    <IconLink to={paths.answerTimes} aria-label="Answer times" title="Answer times">
      <IconChartBar size={18} />
    </IconLink>
  )
}
