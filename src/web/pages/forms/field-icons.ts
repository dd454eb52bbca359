import type { Icon } from '@tabler/icons-react'
import IconAlignLeft from '@tabler/icons-react/dist/esm/icons/IconAlignLeft.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconCheckbox from '@tabler/icons-react/dist/esm/icons/IconCheckbox.mjs'
import IconCircleDot from '@tabler/icons-react/dist/esm/icons/IconCircleDot.mjs'
import IconCursorText from '@tabler/icons-react/dist/esm/icons/IconCursorText.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconHash from '@tabler/icons-react/dist/esm/icons/IconHash.mjs'
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import type { FieldType } from '#domains/forms/values.ts'

export const typeIcons: Record<FieldType, Icon> = {
  text: IconCursorText,
  long_text: IconAlignLeft,
  email: IconMail,
  phone: IconPhone,
  number: IconHash,
  choice: IconCircleDot,
  choices: IconListCheck,
  date: IconCalendar,
  checkbox: IconCheckbox,
  hidden: IconEyeOff,
}
