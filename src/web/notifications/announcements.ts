import { dismiss, toastWithAction } from '../ui/toast.ts'

/** The toasts that tell of notifications: whoever opens the list need not be told twice. */
let shown: number[] = []

export function callOut(title: string, label: string, act: () => void): void {
  shown.push(toastWithAction(title, label, act))
}

export function fallSilent(): void {
  for (const id of shown) dismiss(id)
  shown = []
}
