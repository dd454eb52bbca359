import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconDeviceMobileMessage from '@tabler/icons-react/dist/esm/icons/IconDeviceMobileMessage.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import type { Icon } from '@tabler/icons-react'
import type { StepType } from '#domains/sequences/values.ts'

export const stepIcons: Record<StepType, Icon> = {
  email: IconMail,
  sms: IconDeviceMobileMessage,
  task: IconChecklist,
  delay: IconClock,
}
