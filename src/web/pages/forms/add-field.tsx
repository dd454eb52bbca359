import { Button, Menu } from '@mantine/core'
import IconPlus from 'icon:plus'
import { FIELDS_MAX, type FieldType } from '#domains/forms/values.ts'
import { typeIcons } from './field-icons.ts'
import { fieldTypes, typeWords } from './field-kinds.ts'
import { menuProps } from '../../ui/menu-props.ts'
import textClasses from '../../ui/text.module.css'

/** All ten field types. A new field is added after the selected one. */
export function AddField({ fields, add }: { fields: number; add: (type: FieldType) => void }) {
  const isFull = fields >= FIELDS_MAX
  return (
    <Menu position="bottom-start" width={250} returnFocus={false} {...menuProps}>
      <Menu.Target>
        <Button
          size="xs"
          leftSection={<IconPlus size={16} />}
          disabled={isFull}
          title={isFull ? `A form can have up to ${FIELDS_MAX} fields` : undefined}
        >
          Add field
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {fieldTypes.map(type => {
          const Shape = typeIcons[type]
          return (
            <Menu.Item key={type} leftSection={<Shape size={16} />} onClick={() => add(type)}>
              {typeWords[type].name}
              <span className={textClasses.under}>{typeWords[type].about}</span>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
