import { Button, Group, Modal, Text } from '@mantine/core'
import { FocusBack } from '../ui/focus-back.ts'
import type { Conflict } from './conflicts.ts'
import classes from './conflict-dialog.module.css'

/** Both versions side by side. Closing it keeps the saved one. */
export function ConflictDialog({ conflict }: { conflict: Conflict }) {
  const { one, name, fields, choose } = conflict
  return (
    <>
      <FocusBack />
      <Modal opened onClose={() => choose('theirs')} title="Someone else changed this too" size="md">
        <Text>{`While you were editing the ${one} ${name}, someone else saved a different version. Which one do you want to keep?`}</Text>
        <table className={classes.versions}>
          <thead>
            <tr>
              <td />
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ label, mine, theirs }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{mine}</td>
                <td>{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={() => choose('theirs')} data-autofocus>
            Keep theirs
          </Button>
          <Button onClick={() => choose('mine')}>Save mine</Button>
        </Group>
      </Modal>
    </>
  )
}
