; Read after ./declarations.scm.

(function_definition type: (_) @type declarator: (_) @name) @definition.function
(field_declaration type: (_) @type declarator: (_) @name) @definition.field

; Prototypes: in a header they are all that there is.
(declaration type: (_) @type declarator: [
  (function_declarator declarator: (identifier))
  (pointer_declarator declarator: [
    (function_declarator declarator: (identifier))
    (pointer_declarator declarator: (function_declarator declarator: (identifier)))])] @name) @definition.function
; `int (name)(int)`, which no macro of that name touches; `void (*name(int))(int)`, a function that gives one.
(declaration type: (_) @type declarator: [
  (function_declarator declarator: (parenthesized_declarator [
    (identifier)
    (parenthesized_declarator (identifier))
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (parenthesized_declarator (identifier))]))]))
  (pointer_declarator declarator: [
    (function_declarator declarator: (parenthesized_declarator [
      (identifier)
      (pointer_declarator declarator: (function_declarator declarator: (identifier)))]))
    (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (identifier))))])] @name) @definition.function
(declaration type: (_) @type declarator: (_) @name) @definition.variable
