// Made by scripts/web-icons.ts.
declare module 'icon:*' {
  import type { Icon } from './ui/icon.tsx'
  const icon: Icon
  export default icon
}
