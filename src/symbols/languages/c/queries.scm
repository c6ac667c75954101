; Read after ./declarations.scm.

(function_definition type: (_) @type declarator: (_) @name) @definition.function
(field_declaration type: (_) @type declarator: (_) @name) @definition.field

; Prototypes: in a header they are all that there is.
(declaration type: (_) @type declarator: [
  (function_declarator declarator: (identifier))
  (pointer_declarator declarator: [
    (function_declarator declarator: (identifier))
    (pointer_declarator declarator: (function_declarator declarator: (identifier)))])] @name) @definition.function
(declaration type: (_) @type declarator: (_) @name) @definition.variable
