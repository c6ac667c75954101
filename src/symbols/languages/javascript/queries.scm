; Read after ./jsx.scm and ./shared.scm.

; Definitions
(class_declaration name: (identifier) @name) @definition.class
(class_body (method_definition name: (_) @name) @definition.method)
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.method
(field_definition property: (_) @name value: (new_expression constructor: (identifier) @type)) @definition.field
(field_definition property: (_) @name) @definition.field
(lexical_declaration "const" (variable_declarator name: (identifier) @name) @definition.constant)
(lexical_declaration "let" (variable_declarator name: (identifier) @name) @definition.variable)
(variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name) right: (new_expression constructor: (identifier) @type)) @definition.property
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name)) @definition.property

; Heritage
(class_heritage (identifier) @reference.extends)
(class_heritage (member_expression object: (_) @receiver property: (property_identifier) @reference.extends))

; What binds names
(class_declaration) @scope
(class) @scope
(formal_parameters (identifier) @local)
